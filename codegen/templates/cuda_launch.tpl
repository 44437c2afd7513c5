CLEAVE_LAUNCH({{name}},
              {{blocks}}, cleave_block_threads,
              {{shared}}, cleave_launch->stream,
              {{arguments}});
