package flagstone;

/** Why a flag has its value. */
public enum Cause {
  /** A rule matches. */
  RULE,
  /** A rule that picks a share of users matches. */
  SHARE,
  /** A rule that matches everyone decides. */
  ALWAYS,
  /** No rule matches. */
  DEFAULT,
  /** The flag is disabled in the environment. */
  DISABLED,
  /** The flag is not configured in the environment. */
  UNCONFIGURED
}
