# chains_explain.sh: what --cleave-explain says of the chain of airfoil's iteration and of its main program.
set -e
cat >wanted <<'TEXT'
chain iterate (airfoil.c:79): loops in order, and what the code between them does to their data
  loop save_soln, line 81
  2 times (for, line 84):
    loop adt_calc, line 85
    loop res_calc, line 92
    loop bres_calc, line 101
    line 108: may change *rms; may change what a pointer leads to
    line 109: may change *maxerr; may change what a pointer leads to
    loop update, line 110

  line 139: may order the mesh anew (op_partition)
  line 142: measures time (op_timers)
  line 143: may read and change everything (run_progress)
  any number of times (for, line 144):
    calls iterate, whose chain stands above, line 147: may change rms, maxerr (iterate)
    line 148: may read and change everything (run_progress)
  line 160: may read everything (op_exit)
TEXT
"$BUILD/bin/chain_dump" "$SRC/examples/airfoil/airfoil.c" --explain "-I$SRC/runtime/api" |
    sed 's|([^ ]*/airfoil|(airfoil|' >all
sed -n '/^chain iterate/,/^$/p' all >made
grep -A 5 '(op_partition)' all >>made
grep '(op_exit)' all >>made
diff -u wanted made
