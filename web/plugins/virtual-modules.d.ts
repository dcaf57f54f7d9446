declare module 'virtual:common-passwords' {
  /** One password a line. */
  export const whole: string
  export const stems: string
}
