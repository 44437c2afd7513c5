CLEAVE_LAUNCH({{name}},
              1, CLEAVE_JOIN_THREADS,
              {{shared}}, cleave_launch->stream,
              {{arguments}});
