/*
 * A licence that mentions push %rbp, mov and ret.
 */

.set v_acc, 4
start:
	v_add_f32 v[v_acc], v1, v2
