/**
 * What the operator decided: settings, the files they name, and the options made of them.
 */
@NullMarked
package io.torussm.daemon.config;

import org.jspecify.annotations.NullMarked;
