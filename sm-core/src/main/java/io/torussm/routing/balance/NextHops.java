package io.torussm.routing.balance;

/**
 * The ports of a switch by which an engine allows paths to another switch. {@link BalancedTables} chooses one of
 * them.
 */
public interface NextHops {
    /**
     * Writes the ports by which a switch may forward to another switch.
     *
     * @param into receives the port numbers, ascending; its length must be at least the number of ports plus one
     * @param to switch of the destination
     * @return number of ports; 0 without a path
     */
    int ports(int sw, int to, int[] into);
}
