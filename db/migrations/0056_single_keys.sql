-- Single keys, such as / or g m, can be switched off: they get in the way of speech input (WCAG 2.1.4).

alter table person add column has_shortcuts boolean not null default true; -- single keys act on pages; false: only keys with Ctrl or Cmd do
