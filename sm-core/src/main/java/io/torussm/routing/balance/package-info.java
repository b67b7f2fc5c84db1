/**
 * What engines of shortest or otherwise given hops have in common, as OpenSM has it ({@code osm_ucast_mgr.c},
 * {@code osm_switch.c}; its manual page: "the number of min hops to each LID", "port balancing"): how destinations are
 * spread over the ports that lead to them.
 *
 * <p><b>What enters.</b> {@link io.torussm.routing.balance.NextHops}: for every two switches, the ports that an engine leaves
 * to choose from. {@link io.torussm.routing.balance.Hops} is the plainest, and what min hop routing is made of.
 * {@link io.torussm.routing.balance.Balancing} has the settings and files of operators.
 *
 * <p><b>What leaves.</b> {@link io.torussm.routing.balance.BalancedTables}, one for each switch. Destinations choose one after
 * the other, all base LIDs first, hosts on the switches with the most hosts before others; each takes the port that the fewest
 * hosts' LIDs before it took at this switch, the first in the order of the search if there are several. LIDs of one end port
 * go through different systems and switches, where there are any. The orders are those of OpenSM, which sorts GUIDs as
 * little-endian numbers, so tables are equal to its tables entry by entry.
 *
 * <p><b>What stays.</b> After a loss, routes in force that are still of least hops are kept, as OpenSM keeps them. When
 * anything comes, all is chosen anew.
 *
 * <p><b>Cost.</b> Tables of switches do not depend on each other, and are filled side by side. For S switches of P ports and L
 * LIDs: S x S bytes of hops, and S x L choices among at most P ports. With {@code scatter_ports} the numbers are drawn in one
 * order, on one thread.
 *
 * <p>{@link io.torussm.routing.balance.LegalHops} is for engines that forbid some turns: hops of searches that know up and
 * down ({@code updn}, {@code dnup}).
 */
@NullMarked
package io.torussm.routing.balance;

import org.jspecify.annotations.NullMarked;
