/** Tables of a published view as files, in the formats that OpenSM writes and ibdmchk reads. */
@NullMarked
package io.torussm.daemon.dump;

import org.jspecify.annotations.NullMarked;
