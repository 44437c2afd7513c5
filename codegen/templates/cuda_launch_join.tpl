CLEAVE_LAUNCH({{name}},
              cleave_portions.arrived.blocks, CLEAVE_JOIN_THREADS,
              {{shared}}, cleave_launch->stream,
              {{arguments}});
