/**
 * What an engine, a parser or a stage found and an operator should know.
 */
@NullMarked
package io.torussm.event;

import org.jspecify.annotations.NullMarked;
