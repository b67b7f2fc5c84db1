/**
 * Writing the fabric: forwarding, QoS, P_Key and GUID tables, link states and M_Keys; only what differs.
 */
@NullMarked
package io.torussm.program;

import org.jspecify.annotations.NullMarked;
