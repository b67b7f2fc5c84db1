/**
 * The common part of engines that assign paths to lanes such that no lane has a credit loop. {@link
 * io.torussm.routing.lanes.LaneSls} has the SLs of lanes, {@link io.torussm.routing.lanes.SwitchChannels} dense
 * numbers of channels and turns. {@link io.torussm.routing.lanes.Lanes} accepts turns one by one while no cycle
 * closes. {@code lash} has its own class for dependencies, which repeats OpenSM's behaviour.
 *
 * <p><b>Cost.</b> Two bytes for each turn of the fabric, and a number for each channel and lane. Pure.
 */
@NullMarked
package io.torussm.routing.lanes;

import org.jspecify.annotations.NullMarked;
