/**
 * Subnet administration (IBA 15.2): the SA header, the records, and the component mask that selects fields of records.
 *
 * <p>{@link io.torussm.mad.sa.SaMad} declares the 256 bytes: common header, RMPP header, SA header, 200 bytes of data.
 * Each record is declared once, as the attributes of {@code mad.smp} are. As in IBA, component mask bit n belongs to
 * the n-th field of the declaration, reserved fields included. A record only adds the number of its fields that have a
 * bit (PathRecord's Preference has none). If IBA assigns two bits to one value (ServiceID), the record declares two
 * fields. PortInfoRecord takes its fields from PortInfo instead of repeating them.
 *
 * <p>{@link io.torussm.mad.sa.ComponentMask} is the only class that compares two records. Its bits are constants of the
 * code that uses them. Tests compare each constant with the header that OpenSM is built with.
 */
@NullMarked
package io.torussm.mad.sa;

import org.jspecify.annotations.NullMarked;
