/**
 * Firmware revisions by the vendor class 0x0A of Mellanox devices, as {@code vendstat -N} of rdma-core reads them. Only
 * what that program reads is named.
 */
@NullMarked
package io.torussm.mad.firmware;

import org.jspecify.annotations.NullMarked;
