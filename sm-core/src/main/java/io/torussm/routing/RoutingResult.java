package io.torussm.routing;

/** The result of an engine: a plan, or a refusal. */
public sealed interface RoutingResult permits Plan, Refusal {}
