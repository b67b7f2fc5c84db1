/**
 * The wire: management datagrams (MADs) and the attributes inside them, each layout declared once.
 *
 * <p>An {@link io.torussm.mad.Attribute} is an immutable copy of the bytes that stand on the wire; its fields are
 * {@link io.torussm.mad.Field}s declared in order through a {@link io.torussm.mad.Layout}, in the spelling of the
 * InfiniBand Architecture specification (IBA) volume 1. Because the bytes themselves are kept, bits that this project
 * does not know survive a read-modify-write such as SubnSet(PortInfo).
 *
 * <p>A layout refuses gaps and overlaps when its class is loaded: every field starts where the last one ended, and the
 * last one ends at the declared size. Reserved ranges are declared like the rest.
 *
 * <p>Fields of up to 64 bits are read and written as numbers, and a value that does not fit is refused; wider ones (GIDs,
 * tables, text) as bytes. {@code toString} prints all fields but the keys that managers keep to themselves.
 */
@NullMarked
package io.torussm.mad;

import org.jspecify.annotations.NullMarked;
