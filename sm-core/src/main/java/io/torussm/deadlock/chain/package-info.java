/**
 * The routing engines that the operator named, which run in order until one has a plan with a proof ({@link
 * io.torussm.deadlock.chain.RoutingChain}). If all engines refuse, the last resort completes the part that one of them
 * could route. {@link io.torussm.deadlock.chain.OnCreditLoop} selects whether tables with a credit loop are written.
 *
 * <p>The chain connects the packages below {@code deadlock}: the whole or incremental proof, grown trees and the order
 * of a change. {@code RoutingChain.precompute} computes all of these in advance, for a fabric that lacks a switch or
 * cable. {@link io.torussm.deadlock.chain.ReadyPlan} stores the differences in few bytes ({@code NumberEncoder},
 * {@code NumberDecoder}). Pure: any thread may call it.
 */
@NullMarked
package io.torussm.deadlock.chain;

import org.jspecify.annotations.NullMarked;
