package io.torussm.sweep.stages;

import io.torussm.event.Finding;
import io.torussm.view.PlacedSubnet;

/**
 * A switch that restarted between two reads, and responded to both.
 *
 * @param subnet the published subnet
 * @param node index of the switch in the published subnet
 * @param finding the event
 */
public record RestartedSwitch(PlacedSubnet subnet, int node, Finding finding) {}
