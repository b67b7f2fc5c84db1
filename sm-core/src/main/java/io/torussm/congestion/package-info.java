/**
 * The manager of congestion control (IBA annex A10): it sets switches and channel adapters as OpenSM's options say.
 *
 * <p>Input: the published subnet and the options. Output: Sets of class 0x21, events when a device cannot be set and
 * when it can again, {@link io.torussm.congestion.CongestionStatistics}. Owner thread: {@code perf}, because requests
 * go to QP1 by LID after the routes are active, and no sweep may wait for them.
 *
 * <p>Each device is read first, so that a takeover or restart writes only what differs. It is read again every few
 * minutes, which finds devices that have restarted. The order of Sets is that of the fabric, switches first: marks of a
 * switch have no effect until adapters react, and a device that fails delays no other.
 *
 * <p>Gets carry no CC_Key. A Set carries it only to a port that shows the same key, or to a switch that hides its key.
 *
 * <p>After a check the CongestionLog of the device is read, and added up in {@link
 * io.torussm.congestion.CongestedPort}. A device without a log is as good as others.
 *
 * <p>Cost: two Gets for each switch, three or four for each port of an adapter, every five minutes; two objects for
 * each device.
 */
@NullMarked
package io.torussm.congestion;

import org.jspecify.annotations.NullMarked;
