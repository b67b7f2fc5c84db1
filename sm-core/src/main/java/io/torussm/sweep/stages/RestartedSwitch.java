package io.torussm.sweep.stages;

import io.torussm.event.Finding;
import io.torussm.view.PlacedSubnet;

/**
 * A switch that restarted between two reads and was missed by none.
 *
 * @param subnet the published subnet
 * @param node index of the switch there
 * @param finding the event
 */
public record RestartedSwitch(PlacedSubnet subnet, int node, Finding finding) {}
