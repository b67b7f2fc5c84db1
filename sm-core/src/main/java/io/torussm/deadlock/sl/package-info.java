/**
 * The SLs of hosts. {@link io.torussm.deadlock.sl.SlVerdicts} evaluates whether tables are free of credit loops if
 * hosts do not use the SLs of path records. {@link io.torussm.deadlock.sl.SlStability} counts the paths whose SL
 * differs between two plans: established connections continue to use the old SL. Pure: any thread may call it.
 */
@NullMarked
package io.torussm.deadlock.sl;

import org.jspecify.annotations.NullMarked;
