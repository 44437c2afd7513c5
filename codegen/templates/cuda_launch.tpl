CLEAVE_LAUNCH({{name}},
              {{blocks}}, cleave_width,
              {{shared}}, cleave_launch->stream,
              {{arguments}});
