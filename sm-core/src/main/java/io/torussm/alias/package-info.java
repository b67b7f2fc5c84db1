/**
 * Alias GUIDs: what a port is called besides its own GUID (IBA 14.2.5.5, 15.2.5.18), such as the GUIDs of virtual
 * machines. The subnet manager keeps the table, the ports are written after it.
 */
@NullMarked
package io.torussm.alias;

import org.jspecify.annotations.NullMarked;
