/**
 * The shape of a fabric, and above all its levels if it is a tree. It is a pure function of the graph, of the
 * switches that the operator names as roots, and of the previous levels. All engines can use it.
 *
 * <p><b>Levels.</b> Leaves have level 0, spines the highest. Several proposals are made: from the previous
 * levels, from the roots, from the switches that are equally far from most hosts, and from the hosts. In each
 * proposal, a switch moves to the level that fits most of its cables. The proposal with the smallest share of
 * wrong cables is used, with a preference for better sources. So a tree is recognized in spite of a few wrong or
 * lost cables, lost spines, and hosts on spines. Aggregation nodes do not count as hosts.
 *
 * <p><b>Grids.</b> Even rings and grids have levels, too, if few of their hosts are up. Such a graph counts as a
 * tree only by its hosts: half of the leaves have hosts, switches above have few, and the graph has two levels
 * or is a line.
 *
 * <p><b>Faults.</b> Switches of a level that share most of the switches above are siblings. A cable that most
 * siblings have and a switch lacks is missing. A cable within a level, over a level, or to a switch to which no
 * sibling has a cable is wrong. Two wrong cables are exchanged if an exchange of one end of each gives two
 * missing cables.
 *
 * <p><b>Cost.</b> A search from each switch with few hosts: 1,620 switches with 23,328 cables take about 0.1 s.
 * A fabric whose switches all have equally many hosts costs one search.
 */
@NullMarked
package io.torussm.tree;

import org.jspecify.annotations.NullMarked;
