/* A notice that comes while no page is open: shown, and opened at its seat. */
self.addEventListener("push", (event) => {
  const said = event.data ? event.data.json() : {};
  event.waitUntil(self.registration.showNotification("Umpire", { body: said.text, tag: said.tag, data: said.link }));
});
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const link = event.notification.data;
  event.waitUntil(
    self.clients.matchAll({ type: "window" }).then((open) => {
      const there = open.find((client) => client.url === link);
      return there ? there.focus() : self.clients.openWindow(link);
    }),
  );
});
