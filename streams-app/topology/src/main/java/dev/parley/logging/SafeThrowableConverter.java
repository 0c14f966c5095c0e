package dev.parley.logging;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;

/** {@code %safeEx}: a stack trace with each message on one line of bounded length. */
public final class SafeThrowableConverter extends ThrowableProxyConverter {

    @Override
    protected String throwableProxyToString(IThrowableProxy throwable) {
        return super.throwableProxyToString(new SafeThrowable(throwable));
    }

    /**
     * A throwable whose message is one line of bounded length.
     *
     * @param throwable the logged throwable
     */
    private record SafeThrowable(IThrowableProxy throwable) implements IThrowableProxy {

        @Override
        public String getMessage() {
            return throwable.getMessage() == null ? null : LogText.line(throwable.getMessage());
        }

        @Override
        public String getOverridingMessage() {
            return throwable.getOverridingMessage() == null ? null : LogText.line(throwable.getOverridingMessage());
        }

        @Override
        public String getClassName() {
            return throwable.getClassName();
        }

        @Override
        public StackTraceElementProxy[] getStackTraceElementProxyArray() {
            return throwable.getStackTraceElementProxyArray();
        }

        @Override
        public int getCommonFrames() {
            return throwable.getCommonFrames();
        }

        @Override
        public IThrowableProxy getCause() {
            return throwable.getCause() == null ? null : new SafeThrowable(throwable.getCause());
        }

        @Override
        public IThrowableProxy[] getSuppressed() {
            IThrowableProxy[] suppressed = throwable.getSuppressed();
            if (suppressed == null) {
                return null;
            }
            IThrowableProxy[] safe = new IThrowableProxy[suppressed.length];
            for (int i = 0; i < safe.length; i++) {
                safe[i] = new SafeThrowable(suppressed[i]);
            }
            return safe;
        }

        @Override
        public boolean isCyclic() {
            return throwable.isCyclic();
        }
    }
}
