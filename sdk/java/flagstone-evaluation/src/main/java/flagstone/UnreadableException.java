package flagstone;

/** An operand that its operator cannot read. */
final class UnreadableException extends Exception {
  private static final long serialVersionUID = 1;

  UnreadableException() {
    super(null, null, false, false); // A document may have thousands: no stack traces.
  }
}
