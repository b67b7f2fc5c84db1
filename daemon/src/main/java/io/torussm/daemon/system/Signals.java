package io.torussm.daemon.system;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.lang.reflect.Proxy;

/**
 * The handling of POSIX signals. {@code sun.misc.Signal} is the only interface of Java to signals. It is called by
 * reflection, because the compiler warning about it cannot be switched off, and the build treats warnings as errors.
 */
public final class Signals {
    private static final EventLog EVENTS = EventLog.of(Signals.class);

    private Signals() {}

    /**
     * Sets the action that runs on each signal of a kind and replaces the default action of the virtual machine.
     *
     * @param name name of the signal without SIG, such as {@code HUP}
     */
    public static void handle(String name, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object proxy = Proxy.newProxyInstance(
                    Signals.class.getClassLoader(), new Class<?>[] {handler}, (self, method, arguments) -> {
                        switch (method.getName()) {
                            case "handle" -> action.run();
                            case "hashCode" -> {
                                return System.identityHashCode(self);
                            }
                            case "equals" -> {
                                return arguments[0] == self;
                            }
                            default -> {
                                return "handler of SIG" + name;
                            }
                        }
                        return null;
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
        } catch (ReflectiveOperationException | RuntimeException e) {
            EVENTS.report(SmEvent.SIGNAL_NOT_HANDLED, EventField.NAME.of(name), EventField.REASON.of(e));
        }
    }
}
