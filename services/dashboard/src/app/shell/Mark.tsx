/** The sign of Postrider. */
export const Mark = ({ className }: { className?: string }) => (
  <svg aria-hidden="true" viewBox="0 0 32 32" className={className}>
    <rect width="32" height="32" rx="8" fill="#d8441b" />
    <path
      d="M8 21.5V10.8h9.2a5 5 0 0 1 0 10h-4.6"
      fill="none"
      stroke="#fff"
      strokeWidth="3"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
    <circle cx="23.8" cy="22" r="1.9" fill="#fff" />
  </svg>
)
