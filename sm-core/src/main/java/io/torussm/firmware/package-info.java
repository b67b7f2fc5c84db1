/**
 * The firmware versions of Mellanox devices, by Gets of the vendor class 0x0A.
 *
 * <p>Input: the published subnet, answers of devices. Output: {@link io.torussm.firmware.FirmwareCensus}, which
 * console, HTTP, health and metrics read. A device is sent the requests of {@code vendstat -N}, one at a time, and no
 * Set.
 *
 * <p>Owner thread: that of the counters, since the requests go to QP1 by LID and share their client. No sweep waits for
 * it. Cost: two requests for each device when it enters the subnet, and each day; about 200 bytes.
 */
@NullMarked
package io.torussm.firmware;

import org.jspecify.annotations.NullMarked;
