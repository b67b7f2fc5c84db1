/**
 * The limits of {@code docs/developer/style.md} that a program can check. {@link io.torussm.daemon.house.HouseTest}
 * measures all sources; {@code house.tsv} lists the exceptions that are left, as numbers that may only shrink.
 */
@NullMarked
package io.torussm.daemon.house;

import org.jspecify.annotations.NullMarked;
