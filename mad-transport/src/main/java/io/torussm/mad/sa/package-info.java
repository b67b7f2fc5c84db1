/**
 * Subnet administration (IBA 15.2): the SA header, the records, and the component mask that selects fields of them.
 *
 * <p>{@link io.torussm.mad.sa.SaMad} knows the 256 bytes: common header, RMPP header, SA header, 200 bytes of data. Each
 * record is declared once, as the attributes of {@code mad.smp} are. Component mask bit n belongs to the n-th field of the
 * declaration, reserved fields counted, as in the book; so the declaration is the only place where it is written, and a
 * record only says how many of its fields have a bit (PathRecord's Preference has none). Where IBA gives two bits to one
 * value (ServiceID) there are two fields, and PortInfoRecord takes its fields from PortInfo instead of repeating them.
 *
 * <p>{@link io.torussm.mad.sa.ComponentMask} is the only place where two records are compared. Its bits are constants of
 * the code that uses them; tests pin every one of them to the header that OpenSM is built with.
 */
@NullMarked
package io.torussm.mad.sa;

import org.jspecify.annotations.NullMarked;
