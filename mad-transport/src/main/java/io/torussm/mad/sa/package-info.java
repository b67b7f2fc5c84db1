/**
 * Subnet administration (IBA 15.2): the SA header, the records, and the component mask that selects fields of them.
 *
 * <p>Component mask bit n belongs to the n-th field of a record's declaration, reserved fields counted, as in the book;
 * so the declaration is the only place where it is written, and {@link io.torussm.mad.sa.ComponentMask} is the only place
 * where two records are compared.
 */
@NullMarked
package io.torussm.mad.sa;

import org.jspecify.annotations.NullMarked;
