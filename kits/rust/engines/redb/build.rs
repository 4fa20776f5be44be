#[path = "../build_facts.rs"]
mod build_facts;

fn main() {
    build_facts::tell("redb");
}
