package io.torussm.routing;

/**
 * The settings of the SM that all engines need.
 *
 * @param qos true if QoS tables are programmed
 * @param maxOpVls limit of OperationalVLs, as a VL code 1 to 5
 * @param smSl SL that is preferred for traffic with the SM, 0 to 15 (a hint)
 */
public record RoutingOptions(boolean qos, int maxOpVls, int smSl) {}
