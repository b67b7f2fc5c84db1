/**
 * What an engine, a parser or a stage found and an operator should know, and what an operator may have meant.
 */
@NullMarked
package io.torussm.event;

import org.jspecify.annotations.NullMarked;
