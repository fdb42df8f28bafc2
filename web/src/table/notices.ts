/** Leave to notify: the browser asks for it, when it is first wanted and never before. */
import { useSettings } from "../settings";

export async function askLeave(): Promise<void> {
  const granted = Notification.permission === "granted" || (await Notification.requestPermission()) === "granted";
  useSettings.getState().set({ notices: granted, noticesAsked: true });
}
