/**
 * The common part of engines that choose among several next hops, as in OpenSM ({@code osm_ucast_mgr.c}, {@code
 * osm_switch.c}; its manual page: "the number of min hops to each LID", "port balancing"). It distributes
 * destinations over the ports that lead to them.
 *
 * <p><b>Input.</b> {@link io.torussm.routing.balance.NextHops}: for every two switches, the ports that an engine
 * allows. {@link io.torussm.routing.balance.Hops} is the simplest, and the basis of min hop routing. {@link
 * io.torussm.routing.balance.Balancing} has the settings and files of operators.
 *
 * <p><b>Output.</b> {@link io.torussm.routing.balance.BalancedTables}, one for each switch. Destinations choose
 * ports one after the other: all base LIDs first, hosts on the switches with the most hosts before others. Each
 * takes the port of this switch that the fewest LIDs of hosts use so far; of several, the first in the order of
 * the search. LIDs of one end port use different systems and switches if possible. The orders are those of
 * OpenSM, which sorts GUIDs as little-endian numbers. So all entries equal those of OpenSM's tables.
 *
 * <p><b>Kept routes.</b> After a loss, active routes that still have the fewest hops are kept, as in OpenSM.
 * After any addition all destinations choose again.
 *
 * <p><b>Cost.</b> Tables of switches are independent, and are filled in parallel. For S switches of P ports and
 * L LIDs: S x S bytes of hops, and S x L choices among at most P ports. With {@code scatter_ports}, random
 * numbers are drawn in one order, so one thread fills all tables.
 *
 * <p>{@link io.torussm.routing.balance.LegalHops} is for engines that forbid some turns: hops of searches that
 * distinguish up and down ({@code updn}, {@code dnup}).
 */
@NullMarked
package io.torussm.routing.balance;

import org.jspecify.annotations.NullMarked;
