package io.torussm.transport.foreign;

import com.kenai.jffi.CallContext;
import com.kenai.jffi.CallingConvention;
import com.kenai.jffi.LastError;
import com.kenai.jffi.Library;
import com.kenai.jffi.Type;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** A shared library of this process, which stays loaded until the process ends. */
public final class ForeignLibrary {
    private final Library library;

    /** The type of a parameter. */
    public enum Parameter {
        /** An {@code int}, or a type that C widens to one. */
        INT,
        /** A {@code size_t} or {@code long}. */
        LONG,
        /** The address of a direct buffer; null is 0. */
        POINTER;

        private Type type() {
            return switch (this) {
                case INT -> Type.SINT;
                case LONG -> Type.SLONG;
                case POINTER -> Type.POINTER;
            };
        }
    }

    private ForeignLibrary(Library library) {
        this.library = library;
    }

    /**
     * Returns the libraries of this process: the C library, preceded by the libraries of {@code LD_PRELOAD}.
     *
     * @throws LinkageError if the native part of jffi cannot be loaded
     */
    public static ForeignLibrary ofProcess() {
        return new ForeignLibrary(Library.getDefault());
    }

    /**
     * Loads a library with its dependencies, as dlopen(3) does.
     *
     * @param name file name or path
     * @throws LinkageError if the library or the native part of jffi cannot be loaded
     */
    public static ForeignLibrary open(String name) {
        Library opened = Library.openLibrary(name, Library.NOW | Library.LOCAL);
        if (opened == null) {
            throw new UnsatisfiedLinkError(Library.getLastError());
        }
        return new ForeignLibrary(opened);
    }

    /**
     * Returns a function whose result is an {@code int} or fits in one.
     *
     * @param parameters types of at most six parameters
     * @throws LinkageError if the library has no function of that name
     */
    public ForeignFunction function(String name, Parameter... parameters) {
        return bind(name, CallContext.getCallContext(Type.SINT, types(parameters), CallingConvention.DEFAULT, true));
    }

    /**
     * Returns a variadic function of C, such as open(2). Some calling conventions pass its arguments differently.
     *
     * @param parameters types of the parameters before the ellipsis; no others are passed
     * @throws LinkageError if the library has no function of that name
     */
    public ForeignFunction variadic(String name, Parameter... parameters) {
        return bind(
                name,
                CallContext.getCallContext(
                        Type.SINT, parameters.length, types(parameters), CallingConvention.DEFAULT, true));
    }

    private static Type[] types(Parameter... parameters) {
        Type[] types = new Type[parameters.length];
        for (int i = 0; i < types.length; i++) {
            types[i] = parameters[i].type();
        }
        return types;
    }

    private ForeignFunction bind(String name, CallContext context) {
        long address = library.getSymbolAddress(name);
        if (address == 0) {
            throw new UnsatisfiedLinkError(name + ": " + Library.getLastError());
        }
        return new ForeignFunction(context, address);
    }

    /** Returns errno after the last call of a function by this thread. */
    public static int errno() {
        return LastError.getInstance().get();
    }

    /** Allocates memory for C: a direct buffer of zeros in native byte order. The memory is freed with the buffer. */
    public static ByteBuffer memory(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    /** Returns a text as a string of C: UTF-8 with a zero at its end. */
    public static ByteBuffer zeroTerminated(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return memory(bytes.length + 1).put(0, bytes);
    }
}
