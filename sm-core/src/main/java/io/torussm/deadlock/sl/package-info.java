/**
 * The SLs of hosts. {@link io.torussm.deadlock.sl.SlVerdicts} says whether tables are free of credit loops if hosts
 * choose SLs in other ways than path records say. {@link io.torussm.deadlock.sl.SlStability} counts the paths whose SL
 * differs between two plans, which established connections would not notice. Pure.
 */
@NullMarked
package io.torussm.deadlock.sl;

import org.jspecify.annotations.NullMarked;
