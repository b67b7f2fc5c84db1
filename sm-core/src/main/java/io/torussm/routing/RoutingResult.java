package io.torussm.routing;

/** What an engine returns: a plan, or a refusal. */
public sealed interface RoutingResult permits Plan, Refusal {}
