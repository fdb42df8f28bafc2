declare module "virtual:icons" {
  const names: Set<string>;
  export default names;
}
