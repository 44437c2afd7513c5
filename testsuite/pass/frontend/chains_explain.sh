# chains_explain.sh: what --cleave-explain says of the chain of airfoil's iteration and of its main program.
set -e
cat >wanted <<'TEXT'
chain iterate (airfoil.c:92): loops in order, and what the code between them does to their data
  loop save_soln, line 94
  2 times (for, line 98):
    loop adt_calc, line 99
    loop res_calc, line 107
    loop bres_calc, line 117
    line 125: may change *rms; may change what a pointer leads to
    line 126: may change *maxerr; may change what a pointer leads to
    loop update, line 127

  line 149: may order the mesh anew (op_partition)
  line 152: measures time (op_timers)
  any number of times (for, line 153):
    calls iterate, whose chain stands above, line 155: may change rms, maxerr (iterate)
    line 156: may read rms (sqrt); may read maxerr; may read and change everything (history_report)
  line 166: may read everything (op_exit)
TEXT
"$BUILD/bin/chain_dump" "$SRC/examples/airfoil/airfoil.c" --explain "-I$SRC/runtime/api" |
    sed 's|([^ ]*/airfoil|(airfoil|' >all
sed -n '/^chain iterate/,/^$/p' all >made
grep -A 4 -E '^  line 149' all | grep -v 'line 160' >>made
grep '^  line 166' all >>made
diff -u wanted made
