/* call_text.h: a call of op_par_loop() and its text, as units have it, both from one macro with the
 * call's arguments. */
#ifndef CLEAVE_TEST_CALL_TEXT_H
#define CLEAVE_TEST_CALL_TEXT_H

#define TEXT_OF(...) #__VA_ARGS__
/* The text that op_par_loop() makes of these arguments. */
#define TEXT(...) TEXT_OF(__VA_ARGS__)
#define LOOP(...) op_par_loop(__VA_ARGS__)

#endif
