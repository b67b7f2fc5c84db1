package io.torussm.routing;

/**
 * What engines need to know of the SM's configuration.
 *
 * @param qos whether QoS tables are programmed
 * @param maxOpVls cap of OperationalVLs, as a VL code 1 to 5
 * @param smSl the SL level wanted for traffic with the SM (hint)
 */
public record RoutingOptions(boolean qos, int maxOpVls, int smSl) {}
