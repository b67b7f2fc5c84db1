/**
 * Management datagrams (MADs) and the attributes in them. Each layout is declared once.
 *
 * <p>An {@link io.torussm.mad.Attribute} is an immutable copy of the bytes on the wire. Its fields are
 * {@link io.torussm.mad.Field}s, declared in order through a {@link io.torussm.mad.Layout}, in the spelling of the
 * InfiniBand Architecture specification (IBA) volume 1. Because the bytes themselves are kept, bits that this project
 * does not declare survive a read-modify-write such as SubnSet(PortInfo).
 *
 * <p>A layout rejects gaps and overlaps when its class is loaded: every field starts at the end of the previous field,
 * and the last field ends at the declared size. Reserved ranges are declared like other fields.
 *
 * <p>Fields of up to 64 bits are read and written as numbers, and a value that does not fit is rejected. Wider fields
 * (GIDs, tables, text) are read and written as bytes. {@code toString} prints all fields except secret keys.
 */
@NullMarked
package io.torussm.mad;

import org.jspecify.annotations.NullMarked;
