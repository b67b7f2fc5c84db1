package io.torussm.routing.balance;

/** Which ports of a switch lead to another one as an engine would have it; the table step chooses among them. */
public interface NextHops {
    /**
     * Returns the ports by which a switch may forward to another.
     *
     * @param into takes their numbers, ascending
     * @return how many there are; 0 if there is no path
     */
    int ports(int sw, int to, int[] into);
}
