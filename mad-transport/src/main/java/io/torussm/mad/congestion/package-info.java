/**
 * Congestion control (IBA annex A10): the MAD of class 0x21 and its attributes 0x0011 to 0x0018.
 *
 * <p>Switches mark packets that wait too long ({@link io.torussm.mad.congestion.SwitchCongestionSetting}); the
 * receiver notifies the sender, which slows down ({@link io.torussm.mad.congestion.CaCongestionSetting} and
 * {@link io.torussm.mad.congestion.CongestionControlTable}). A CC_Key
 * ({@link io.torussm.mad.congestion.CongestionKeyInfo}) protects the settings.
 *
 * <p>Public implementations disagree about two layouts. A block of
 * {@link io.torussm.mad.congestion.SwitchPortCongestionSetting} has 32 ports; ibccquery reads 48. An erratum of 2010
 * moved the fields of an event of a channel adapter in {@link io.torussm.mad.congestion.CongestionLog}.
 *
 * <p>The layouts are tested against the interpretation of the same bytes by libibmad, and against Sets of ibccconfig.
 */
@NullMarked
package io.torussm.mad.congestion;

import org.jspecify.annotations.NullMarked;
