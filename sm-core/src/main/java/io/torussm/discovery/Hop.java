package io.torussm.discovery;

/** A port of a node: the one that a request left through, or port 0 for a switch as a whole. */
record Hop(long nodeGuid, int portNum) {}
