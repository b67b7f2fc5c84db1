/** Quality of service: VL arbitration and the settings behind it. */
@NullMarked
package io.torussm.qos;

import org.jspecify.annotations.NullMarked;
