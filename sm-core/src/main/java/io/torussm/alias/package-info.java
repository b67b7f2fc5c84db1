/**
 * Alias GUIDs: GUIDs of a port besides its own (IBA 14.2.5.5, 15.2.5.18), such as those of virtual machines.
 * The subnet manager keeps the table and writes it to the ports.
 */
@NullMarked
package io.torussm.alias;

import org.jspecify.annotations.NullMarked;
