package flagstone;

/** Whether a condition matches: Kleene's three values. */
enum Truth {
  NO,
  UNKNOWN,
  YES;

  static Truth of(boolean matches) {
    return matches ? YES : NO;
  }
}
