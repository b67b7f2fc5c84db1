/**
 * The routing engines that the operator named, asked in order until one has a plan with a proof ({@link
 * io.torussm.deadlock.chain.RoutingChain}). If all refuse, the last resort completes the part that one of them could
 * route. {@link io.torussm.deadlock.chain.OnCreditLoop} says whether tables with a credit loop are written.
 *
 * <p>The chain connects the parts of the packages around it: the whole or incremental proof, grown trees and the order
 * of a change. {@code RoutingChain.foresee} computes all of that for a fabric that lacks a switch or cable, and {@link
 * io.torussm.deadlock.chain.ReadyPlan} keeps the differences in few bytes ({@code NumberEncoder}, {@code
 * NumberDecoder}). Pure, as engines are.
 */
@NullMarked
package io.torussm.deadlock.chain;

import org.jspecify.annotations.NullMarked;
