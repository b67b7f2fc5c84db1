package io.torussm.daemon.http;

import io.torussm.mastership.Mastership;

/**
 * State and counters of the SM, as they are now.
 *
 * @param mastership where it stands among subnet managers
 */
public record Figures(Mastership mastership) {}
