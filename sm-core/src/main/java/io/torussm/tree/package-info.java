/**
 * The shape of a fabric, and above all its levels if it is a tree. A pure function of the graph, of the switches that
 * the operator names as roots, and of the levels that were known before. No engine owns it.
 *
 * <p><b>Levels.</b> Leaves have level 0, spines the highest. Several proposals are made: from the levels known before,
 * from the roots, from the switches that are equally far from most hosts, and from the hosts. In each a switch moves to
 * the level that most of its cables ask for. The proposal with the smallest share of wrong cables and of hosts above
 * leaves is taken. So a few wrong cables, lost cables, lost spines, and hosts on spines do not hide a tree. Aggregation
 * nodes are no hosts here.
 *
 * <p><b>Grids.</b> Even rings and grids have levels, too, if few of their hosts are up. Such a graph is a tree only if
 * its hosts say so: on half of the leaves, with few above, and with two levels or in a line.
 *
 * <p><b>Faults.</b> Switches of a level that share most of the switches above are siblings. A cable that most siblings
 * have and a switch lacks is missing. A cable within a level, over a level, or to a place that no sibling is cabled to
 * is wrong. Two wrong cables are exchanged if each of them, with two ends exchanged, would be one that is missing.
 *
 * <p><b>Cost.</b> A search from each switch with few hosts: 1,620 switches with 23,328 cables take about 0.1 s. A
 * fabric whose switches all have equally many hosts costs one search.
 */
@NullMarked
package io.torussm.tree;

import org.jspecify.annotations.NullMarked;
